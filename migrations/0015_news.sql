-- +goose Up

-- Which edition of what is new the admins of a chat have been told of, NULL: it
-- has only just been met. Those who are here already have yet to be told.
ALTER TABLE chats ADD COLUMN news INTEGER CHECK (news >= 0);

UPDATE chats SET news = 0;
