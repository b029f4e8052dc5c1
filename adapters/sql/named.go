package sql

import "context"

func (a *Adapter) addNamed(context.Context, *state) {}
