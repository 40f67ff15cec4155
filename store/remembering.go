package store

// mostRemembered is how many texts a connection remembers each way.
const mostRemembered = 4096

// remembering is a Sealer for one connection that remembers what it has sealed
// and opened lately: the people of a table and its place come at every press.
type remembering struct {
	by            Sealer
	sealed, opens map[purposeful]string
}

// purposeful is a text with its purpose.
type purposeful struct{ text, purpose string }

// rememberingOf makes one of a key, nil of none.
func rememberingOf(by Sealer) Sealer {
	if by == nil {
		return nil
	}
	return &remembering{by: by, sealed: map[purposeful]string{}, opens: map[purposeful]string{}}
}

// Seal is as of the Sealer.
func (r *remembering) Seal(text, purpose string) (string, error) {
	return lookUp(r.sealed, purposeful{text, purpose}, r.by.Seal)
}

// Open is as of the Sealer.
func (r *remembering) Open(sealed, purpose string) (string, error) {
	return lookUp(r.opens, purposeful{sealed, purpose}, r.by.Open)
}

func lookUp(known map[purposeful]string, of purposeful, work func(string, string) (string, error)) (string, error) {
	if text, ok := known[of]; ok {
		return text, nil
	}
	text, err := work(of.text, of.purpose)
	if err != nil {
		return "", err
	}
	if len(known) >= mostRemembered {
		clear(known)
	}
	known[of] = text
	return text, nil
}
