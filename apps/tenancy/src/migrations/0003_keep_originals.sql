-- Whether what is handed in to a memory is kept beside what is made of it.
ALTER TABLE memories ADD COLUMN keep_originals boolean NOT NULL DEFAULT false;
