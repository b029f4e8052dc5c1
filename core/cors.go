package core

import (
	"net/http"

	"github.com/rs/cors"
)

// preflightAge is how long, in seconds, a browser may remember what a page may
// do. Chromium remembers no longer.
const preflightAge = 2 * 60 * 60

// answerPages lets the pages of Options.Origins read the answers, and answers what
// their browsers ask before a request (CORS). Pages of this machine may send
// requests, as programs of this machine may, but read no answer unless their
// origin is listed: no other developer's page is to read a database because it is
// served here too.
//
// A page may send any header: it brings its token and credentials for backends in
// headers of its own, and no header gives it more than they do. Cookies are not
// asked for. Access to private networks is a question of the browser to its user
// now, and no header is sent for the preflight that it once was.
func (o Options) answerPages(next http.Handler) http.Handler {
	return cors.New(cors.Options{
		AllowOriginFunc: func(origin string) bool { return allows(o.Origins, origin) },
		AllowedMethods:  []string{http.MethodPost, http.MethodGet, http.MethodDelete},
		AllowedHeaders:  []string{"*"},
		ExposedHeaders:  []string{headerSession, headerVersion, "WWW-Authenticate", "Retry-After"},
		MaxAge:          preflightAge,
	}).Handler(next)
}

// answerAnyPage lets every page read what is no secret.
func answerAnyPage(next http.Handler) http.Handler {
	return cors.New(cors.Options{
		AllowedOrigins: []string{"*"},
		AllowedMethods: []string{http.MethodGet},
		AllowedHeaders: []string{"*"},
		MaxAge:         preflightAge,
	}).Handler(next)
}

// isPreflight reports whether a browser asks what a page may do.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}
