-- +goose Up

-- Payments by which people settle up. One side reports a payment, the other
-- confirms it, and then it is booked. An undone payment is booked a second time
-- in reverse. Rows are never deleted.
CREATE TABLE payments (
    id      INTEGER NOT NULL PRIMARY KEY,
    chat    TEXT    NOT NULL REFERENCES chats (id),
    unit    TEXT    NOT NULL,
    payer   TEXT    NOT NULL, -- the name of an account
    payee   TEXT    NOT NULL,
    amount  INTEGER NOT NULL CHECK (amount > 0),
    teller  TEXT    NOT NULL REFERENCES players (id),
    state   TEXT    NOT NULL CHECK (state IN ('told', 'withdrawn', 'confirmed', 'back')),
    told    INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    CHECK (payer <> payee)
) STRICT;

CREATE INDEX payments_by_chat ON payments (chat, state, id);

ALTER TABLE postings ADD COLUMN payment_id INTEGER REFERENCES payments (id);

-- A payment is booked once and undone once.
CREATE UNIQUE INDEX postings_by_payment ON postings (payment_id, kind) WHERE payment_id IS NOT NULL;

-- Payments whose state differs from their postings.
CREATE VIEW wrong_payments AS
SELECT m.id AS payment_id, m.state
FROM payments m
WHERE (SELECT COUNT(*) FROM postings p WHERE p.payment_id = m.id AND p.kind = 'payment')
        <> CASE WHEN m.state IN ('confirmed', 'back') THEN 1 ELSE 0 END
    OR (SELECT COUNT(*) FROM postings p WHERE p.payment_id = m.id AND p.kind = 'payback')
        <> CASE WHEN m.state = 'back' THEN 1 ELSE 0 END
    OR (SELECT COUNT(*) FROM postings p JOIN entries e ON e.posting_id = p.id WHERE p.payment_id = m.id)
        <> CASE m.state WHEN 'confirmed' THEN 2 WHEN 'back' THEN 4 ELSE 0 END
    OR EXISTS (
        SELECT 1 FROM postings p
        JOIN entries e ON e.posting_id = p.id
        JOIN accounts a ON a.id = e.account_id
        WHERE p.payment_id = m.id
            AND (p.chat <> m.chat OR p.unit <> m.unit OR p.table_id IS NOT NULL
                OR a.name NOT IN (m.payer, m.payee)
                OR e.amount <> CASE
                    WHEN (a.name = m.payer AND p.kind = 'payment') OR (a.name = m.payee AND p.kind = 'payback') THEN m.amount
                    ELSE -m.amount END));
