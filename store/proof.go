package store

// Whether a database is sealed with the key that is given.

import (
	"fmt"

	"knobel/store/engine"
)

// proven is what a sealed database holds sealed, so that it is known by which key.
const proven, ofProof = "knobel", "proof"

// sealsSince is the version of the schema that notes the key.
const sealsSince = 14

// secretsSince is the version of the schema that notes how far the secrets are sealed.
const secretsSince = 27

// accept refuses a database that is not sealed as the options say: with another key, with a key
// though none is given, or without one though one is given. An empty database fits every key. With
// ready it also refuses a database whose secrets are not sealed yet.
func (o *options) accept(raw *engine.Tx, name string, version int64, ready bool) error {
	o.swept = false
	if version == 0 {
		return nil
	}
	tx := newTx(raw, nil)
	proof, err := tx.Upkeep.proof(version)
	if err != nil {
		return err
	}
	switch {
	case proof == "" && o.key == nil:
		return nil
	case proof == "":
		var some bool
		err := tx.get(`SELECT EXISTS (SELECT 1 FROM chats) OR EXISTS (SELECT 1 FROM players)
			OR EXISTS (SELECT 1 FROM updates)`, nil, &some)
		if err == nil && some {
			err = otherKey("names, ids and secrets in the database %s are not encrypted, but a key is given: "+
				"knobel rekey encrypts them, or start without KNOBEL_KEY_FILE", name)
		}
		return err
	case o.key == nil:
		return otherKey("names, ids and secrets in the database %s are encrypted: "+
			"KNOBEL_KEY_FILE has to name the file with their key", name)
	}
	if text, err := o.key.Open(proof, ofProof); err != nil || text != proven {
		return otherKey("names, ids and secrets in the database %s are encrypted with another key than the one that "+
			"KNOBEL_KEY_FILE names", name)
	}
	if version < secretsSince {
		return nil
	}
	secrets, err := tx.Upkeep.secretsOf()
	o.swept = secrets == secretsSwept
	if err == nil && ready && secrets == secretsPlain {
		err = fmt.Errorf("not everything in the database %s is encrypted that is to be: knobel serve brings it up "+
			"to date",
			name)
	}
	return err
}

// otherKey is an ErrKey that says it in a sentence for the operator.
func otherKey(format, name string) error { return keyError(fmt.Sprintf(format, name)) }

type keyError string

func (e keyError) Error() string { return string(e) }

func (e keyError) Is(target error) bool { return target == ErrKey }

// proof reads the proof of a database whose schema has a version, "" where there is none.
func (tx Upkeep) proof(version int64) (proof string, err error) {
	if version < sealsSince {
		return "", nil
	}
	err = tx.get(`SELECT proof FROM seals`, nil, &proof)
	return proof, orNone(err)
}

// note stores a proof of the key in a database that has none.
func (tx Upkeep) note(key Sealer) error {
	proof, err := key.Seal(proven, ofProof)
	if err != nil {
		return err
	}
	return tx.run(`INSERT INTO seals (id, proof) VALUES (1, $1) ON CONFLICT (id) DO NOTHING`, proof)
}
