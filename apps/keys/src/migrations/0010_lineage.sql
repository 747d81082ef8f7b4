-- Where a key came from besides its parent, so that everything that came of a key can be followed and revoked with it:
-- the key it replaced, and the key that asked for the replacement and was given its plaintext. NULL for keys that were
-- not rotated, and for rotations from before this migration.
ALTER TABLE api_keys ADD COLUMN rotated_from text COLLATE "C";
ALTER TABLE api_keys ADD COLUMN rotated_by text COLLATE "C";
-- Set when the key is to be revoked with its descendants: from then on it creates no credential, and what was begun is
-- finished by another replica if this one ends.
ALTER TABLE api_keys ADD COLUMN closing_since timestamptz;

CREATE INDEX api_keys_by_rotated_from ON api_keys (rotated_from) WHERE rotated_from IS NOT NULL;
CREATE INDEX api_keys_by_rotated_by ON api_keys (rotated_by) WHERE rotated_by IS NOT NULL;
CREATE INDEX api_keys_closing ON api_keys (closing_since) WHERE closing_since IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX oauth_clients_by_parent ON oauth_clients (parent_key_id);
