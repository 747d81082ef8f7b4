-- Which history of the write-ahead log this database is on. A position in the log means something only on one history:
-- after a failover or a restore another one begins, and a replica that did not follow may have replayed just as far on the
-- old one. Whoever reads positions writes this row when the server's identity has changed; a replica that shows the same
-- origin has replayed that.
CREATE TABLE wal_origin (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  -- Identifier of the cluster and timeline of its log.
  identity text NOT NULL,
  origin   uuid NOT NULL DEFAULT gen_random_uuid()
);
