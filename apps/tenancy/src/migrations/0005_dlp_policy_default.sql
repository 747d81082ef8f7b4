-- Every setting of a memory has a column with a default, for inserts of a release that does not know the setting.
ALTER TABLE memories ALTER COLUMN dlp_policy SET DEFAULT 'secrets';
