package mapping

import "strings"

// verbs are the words that summaries of operations begin with, each between two
// spaces.
const verbs = " " +
	"abort accept access acknowledge acquire activate add adjust allocate answer append apply approve " +
	"archive ask assign associate attach authenticate authorize autocomplete backup ban begin bind " +
	"block book browse build calculate call cancel capture change charge check claim clean clear " +
	"clone close collect combine commit compare complete compute configure confirm connect convert copy " +
	"count create deactivate decline decode decrement decrypt delegate delete deny deploy deregister " +
	"describe destroy detach detect determine disable disassociate discard disconnect discover dismiss " +
	"dispatch display dissociate do download drain drop dump duplicate echo edit eject email embed empty " +
	"enable encode encrypt end enqueue enroll ensure enumerate estimate evaluate examine exchange execute " +
	"exit expand export extend extract favorite feature fetch fill filter finalize find finish flush " +
	"follow force fork forward freeze generate get give grant handle hide identify ignore import " +
	"increment index indicate ingest initialize initiate inject insert inspect install instantiate " +
	"invalidate invite invoke issue join kill launch leave link list load locate lock log login logout " +
	"look lookup make manage map mark measure merge migrate mint modify monitor mount move mute notify obtain " +
	"offer open operate order overwrite parse patch pause pay perform pick pin ping place play poll " +
	"populate post prefetch prepare preview print process promote provide provision prune publish pull purchase " +
	"purge push put query queue reactivate read rebase reboot rebuild receive recompute reconnect record " +
	"recover redeem redeliver redirect refresh refund regenerate register reject release relay reload relock " +
	"remove rename render renew reopen reorder repair repeat replace reply report request rerun rescan " +
	"resend reserve reset resize resolve respond restart restore resume retire retrieve retry return " +
	"reveal reverse revert review revoke rollback rotate run save scale scan schedule search see select send " +
	"serve set share show shut sign simulate skip snooze sort split star start stop store stream submit " +
	"subscribe suggest suspend swap switch sync synchronize tag take terminate test toggle tokenize trace " +
	"track train transcribe transfer transform transition translate trigger trim unarchive unassign unban " +
	"unbind unblock undo unfeature unfollow unfreeze unhide uninstall unlink unlock unmark unmute unpin " +
	"unpublish unregister unset unshare unstar unsubscribe unsuspend unwatch update upgrade upload upsert " +
	"use validate verify view vote wait wake watch withdraw write zip "

// doubling verbs repeat their last letter before -ing.
const doubling = " " +
	"ban begin commit cut drop get log map pin put rerun reset run scan set shut skip split star stop " +
	"submit swap tag transfer trim unban unpin unset unstar zip "

// things are verbs that change something and, before a noun, are more often
// things themselves.
const things = " block book change charge grant index issue label order post process purchase record refund " +
	"release share star store tag transfer trigger vote "

func isVerb(word string) bool { return word != "" && strings.Contains(verbs, " "+word+" ") }

// verbForm reads a word that may be a verb: list, lists or listing, of which
// lists may also be a plural. base is "" for what is none.
func verbForm(word string) (base string, third bool) {
	if isVerb(word) {
		return word, false
	}
	if stem, found := strings.CutSuffix(word, "s"); found {
		for _, base := range []string{stem, strings.TrimSuffix(stem, "e"), strings.TrimSuffix(stem, "ie") + "y"} {
			if isVerb(base) && sForm(base) == word {
				return base, true
			}
		}
	}
	if stem, found := strings.CutSuffix(word, "ing"); found && stem != "" {
		for _, base := range []string{stem, stem + "e", stem[:len(stem)-1]} {
			if isVerb(base) && gerund(base) == word {
				return base, false
			}
		}
	}
	return "", false
}

// gerund returns the -ing form of a verb.
func gerund(verb string) string {
	switch {
	case strings.Contains(doubling, " "+verb[strings.LastIndexByte(verb, '-')+1:]+" "):
		return verb + verb[len(verb)-1:] + "ing"
	case strings.HasSuffix(verb, "e") && !strings.HasSuffix(verb, "ee"):
		return strings.TrimSuffix(verb, "e") + "ing"
	}
	return verb + "ing"
}

// sForm adds an s: the third person of a verb, the plural of a noun.
func sForm(word string) string {
	switch {
	case hasAnySuffix(word, "s", "x", "z", "ch", "sh"):
		return word + "es"
	case strings.HasSuffix(word, "y") && !hasAnySuffix(word, "ay", "ey", "oy", "uy"):
		return strings.TrimSuffix(word, "y") + "ies"
	}
	return word + "s"
}

// plural returns the plural of a noun whose last word is in the singular.
func plural(noun string) string {
	switch noun {
	case "person":
		return "people"
	case "child":
		return "children"
	case "data", "media", "metadata", "news", "series", "software", "info", "information", "history":
		return noun
	}
	return sForm(noun)
}

// singular returns the singular of a noun, in the plural or not.
func singular(noun string) string {
	switch noun {
	case "people":
		return "person"
	case "children":
		return "child"
	case "statuses", "aliases", "viruses", "buses":
		return strings.TrimSuffix(noun, "es")
	case "caches":
		return "cache"
	case "news", "series", "alias":
		return noun
	}
	switch {
	case strings.HasSuffix(noun, "ies") && len(noun) > len("ties"):
		return strings.TrimSuffix(noun, "ies") + "y"
	case hasAnySuffix(noun, "sses", "xes", "ches", "shes"):
		return strings.TrimSuffix(noun, "es")
	case hasAnySuffix(noun, "ss", "us", "is"):
		return noun
	}
	return strings.TrimSuffix(noun, "s")
}

func hasAnySuffix(word string, suffixes ...string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(word, suffix) {
			return true
		}
	}
	return false
}

// article puts a or an before a noun.
func article(noun string) string {
	if noun != "" && strings.ContainsRune("aeio", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}
