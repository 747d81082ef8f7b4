-- Whether a key or member that is being revoked goes without its descendants: what is interrupted is then finished
-- without its OAuth clients, too.
ALTER TABLE api_keys ADD COLUMN closing_alone boolean NOT NULL DEFAULT false;
