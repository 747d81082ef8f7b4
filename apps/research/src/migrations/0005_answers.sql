-- A quote may help to answer several questions. Each entry is {question, score}, best first; empty for a finding that
-- only takes a side in a disagreement.
ALTER TABLE findings ADD COLUMN answers jsonb NOT NULL DEFAULT '[]',
  -- The time that its document is of, as it is written there; null when it names none, or the quote says its own.
  ADD COLUMN as_of text,
  -- A newer source says otherwise.
  ADD COLUMN is_old boolean NOT NULL DEFAULT false;
