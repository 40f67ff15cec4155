package books

import (
	"knobel/store"
)

// oneSided reports whether one side of a payment cannot answer.
func oneSided(p store.Payment) bool { return store.Silent(p.Payer) || store.Silent(p.Payee) }

// takeBack takes a confirmed payment out of the books once both sides want that; it stays listed.
// If one side cannot answer, an admin decides, or two people in chats where all are admins.
func (v *visit) takeBack(p namedPayment) error {
	if err := v.mayTakeBack(p.Payment); err != nil {
		return err
	}
	if p.State != store.Confirmed {
		return v.movedOn(p)
	}
	switch byAdmin := oneSided(p.Payment) && !v.Event.Equals; {
	case byAdmin:
	case p.Asker == string(v.Event.User):
		return v.toldAlready(p.Payment)
	case p.Asker == "":
		p.Asker = string(v.Event.User)
		if err := v.Tx.Books.AskBack(p.Payment, p.Asker); err != nil {
			return err
		}
		return v.showPayment(p, false)
	}
	if asked, err := v.anew(p); err != nil || asked {
		return err
	}
	if err := v.Tx.Books.TakeBack(p.Payment, v.At); err != nil {
		return err
	}
	p.State = store.Back
	return v.showPayment(p, false)
}

// mayTakeBack refuses those whose word cannot take a payment back.
func (v *visit) mayTakeBack(p store.Payment) error {
	switch {
	case !oneSided(p):
		return v.own(p)
	case v.Event.Equals:
		return nil
	}
	return v.AdminsOr("bot.settle.back-admins", "bot.settle.back-hosted")
}

// keep turns down a request to take back a payment.
func (v *visit) keep(p namedPayment) error {
	if err := v.mayTakeBack(p.Payment); err != nil {
		return err
	}
	if p.State != store.Confirmed || p.Asker == "" {
		return v.movedOn(p)
	}
	p.Asker = ""
	if err := v.Tx.Books.AskBack(p.Payment, ""); err != nil {
		return err
	}
	return v.showPayment(p, false)
}
