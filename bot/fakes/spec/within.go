package spec

import (
	"fmt"
	"maps"
	"slices"
)

// Within returns what ours allows and theirs does not, and what theirs requires
// and ours does not: nothing, where everything that is right by our description
// is right by theirs. exempt names what is left out, because it says that it is
// newer than theirs.
func Within(ours, theirs *Spec) (wrong, exempt []string) {
	c := &comparison{ours: ours, theirs: theirs, done: map[[2]string][]string{}}
	for _, kind := range []struct{ ours, theirs map[string]*Object }{{ours.Calls, theirs.Calls},
		{ours.Types, theirs.Types}} {
		for _, name := range slices.Sorted(maps.Keys(kind.ours)) {
			own, other := kind.ours[name], kind.theirs[name]
			switch {
			case c.exempted(own.Since, name):
			case other != nil:
				wrong = append(wrong, c.objects(own, other)...)
			case ours.Calls[name] == own:
				wrong = append(wrong, "there is no call "+name)
			}
		}
	}
	slices.Sort(c.exempt)
	return wrong, slices.Compact(c.exempt)
}

type comparison struct {
	ours, theirs *Spec
	exempt       []string
	done         map[[2]string][]string // by the names of both; nil while it is under way
}

func (c *comparison) exempted(since, what string) bool {
	if since == "" || !c.theirs.Before(since) {
		return false
	}
	c.exempt = append(c.exempt, what+" (since "+since+")")
	return true
}

// objects compares two objects, once.
func (c *comparison) objects(ours, theirs *Object) []string {
	pair := [2]string{ours.Name, theirs.Name}
	if wrong, known := c.done[pair]; known {
		return wrong
	}
	c.done[pair] = nil
	wrong := c.compare(ours, theirs)
	c.done[pair] = wrong
	return wrong
}

func (c *comparison) compare(ours, theirs *Object) []string {
	if len(ours.Union) > 0 {
		return c.any(ours.Union, orItself(theirs), ours.Name)
	}
	if len(theirs.Union) > 0 {
		return c.any([]Type{{Kind: Named, Name: ours.Name}}, theirs.Union, ours.Name)
	}
	var wrong []string
	for _, f := range ours.Fields {
		where := ours.Name + "." + f.Name
		if c.exempted(f.Since, where) {
			continue
		}
		other, ok := theirs.Field(f.Name)
		if !ok {
			wrong = append(wrong, where+" is not allowed")
			continue
		}
		if other.Required && !f.Required {
			wrong = append(wrong, where+" is required")
		}
		wrong = append(wrong, c.any(f.Types, other.Types, where)...)
	}
	for _, f := range theirs.Fields {
		if _, ok := ours.Field(f.Name); f.Required && !ok {
			wrong = append(wrong, ours.Name+"."+f.Name+" is required")
		}
	}
	return wrong
}

func orItself(o *Object) []Type {
	if len(o.Union) > 0 {
		return o.Union
	}
	return []Type{{Kind: Named, Name: o.Name}}
}

// any compares types: each of ours is to be within one of theirs.
func (c *comparison) any(ours, theirs []Type, where string) []string {
	var wrong []string
	for _, t := range ours {
		if t.Kind == Named && len(c.ours.Types[t.Name].Union) > 0 {
			wrong = append(wrong, c.any(c.ours.Types[t.Name].Union, theirs, where)...)
			continue
		}
		wrong = append(wrong, c.one(t, c.flat(theirs), where)...)
	}
	return wrong
}

// flat takes the unions among their types apart.
func (c *comparison) flat(types []Type) []Type {
	var all []Type
	for _, t := range types {
		if t.Kind == Named && len(c.theirs.Types[t.Name].Union) > 0 {
			all = append(all, c.flat(c.theirs.Types[t.Name].Union)...)
			continue
		}
		all = append(all, t)
	}
	return all
}

// one compares one of our types with theirs; where none holds it, the nearest
// is spoken of.
func (c *comparison) one(ours Type, theirs []Type, where string) []string {
	var nearest []string
	for _, t := range theirs {
		wrong := c.types(ours, t, where)
		if len(wrong) == 0 {
			return nil
		}
		if nearest == nil || len(wrong) < len(nearest) {
			nearest = wrong
		}
	}
	if nearest == nil {
		return []string{where + " takes no values"}
	}
	return nearest
}

func (c *comparison) types(ours, theirs Type, where string) []string {
	if !kin(ours, theirs) {
		return []string{fmt.Sprintf("%s is %v, not %v", where, theirs, ours)}
	}
	switch ours.Kind {
	case Named:
		return c.objects(c.ours.Types[ours.Name], c.theirs.Types[theirs.Name])
	case Constant:
		if text, ok := ours.Value.(string); ok && theirs.Kind == String {
			return c.theirs.text(theirs, text, where, nil)
		}
		return nil
	}
	var wrong []string
	if theirs.Size.Set && (!ours.Size.Set || ours.Size.From < theirs.Size.From || ours.Size.To > theirs.Size.To) {
		wrong = append(wrong, fmt.Sprintf("%s is limited to %v", where, theirs.Size))
	}
	if theirs.Size.Set && ours.Kind == String && (ours.Bytes != theirs.Bytes || ours.Parsed && !theirs.Parsed) {
		wrong = append(wrong, where+" is counted in another way")
	}
	if theirs.Unique && !ours.Unique {
		wrong = append(wrong, where+" holds nothing twice")
	}
	if theirs.Spelling != nil && (ours.Spelling == nil || ours.Spelling.String() != theirs.Spelling.String()) {
		wrong = append(wrong, fmt.Sprintf("%s matches %v", where, theirs.Spelling))
	}
	if ours.Kind == List || ours.Kind == Map {
		wrong = append(wrong, c.any(ours.Of, theirs.Of, where+"[]")...)
	}
	return wrong
}

// kin reports whether each value of one kind is of the other's.
func kin(ours, theirs Type) bool {
	switch ours.Kind {
	case Constant:
		_, text := ours.Value.(string)
		return ours.Value == theirs.Value && theirs.Kind == Constant ||
			text && theirs.Kind == String || !text && (theirs.Kind == Integer || theirs.Kind == Number)
	case Integer:
		return theirs.Kind == Integer || theirs.Kind == Number
	case True:
		return theirs.Kind == True || theirs.Kind == Boolean
	case ID:
		return theirs.Kind == ID || theirs.Kind == String && theirs.Spelling == nil
	default:
		return ours.Kind == theirs.Kind
	}
}
