-- A run that stalls or ends the process that works on it is given up after a few times, and nobody else's with it.

-- Times its lease has ended since it last kept a step, without another run being the likelier cause.
ALTER TABLE runs ADD COLUMN stalls int NOT NULL DEFAULT 0;
-- True while a run that has stalled before is tried in the same process: should that end, this one is not to blame.
ALTER TABLE runs ADD COLUMN vouched boolean NOT NULL DEFAULT false;
