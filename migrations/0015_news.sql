-- +goose Up

-- The last edition of the news that the admins of a chat have got; NULL: the
-- chat is new. Existing chats get all news.
ALTER TABLE chats ADD COLUMN news INTEGER CHECK (news >= 0);

UPDATE chats SET news = 0;
