-- +goose Up

-- Who of the two has asked to take a confirmed payment back, which the other has
-- to agree to; NULL: nobody has.
ALTER TABLE payments ADD COLUMN asker TEXT REFERENCES players (id);
