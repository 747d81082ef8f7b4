-- What a crawl has seen and has still to see.
CREATE TABLE frontier (
  tenant_id  text NOT NULL COLLATE "C",
  run_id     text NOT NULL COLLATE "C" REFERENCES runs ON DELETE CASCADE,
  url        text NOT NULL COLLATE "C",
  host       text NOT NULL COLLATE "C",
  depth      int NOT NULL,
  -- Redirects that led here.
  hops       int NOT NULL DEFAULT 0,
  -- Pages of the same shape on the way here that said nothing new.
  stale      int NOT NULL DEFAULT 0,
  shape      text NOT NULL COLLATE "C",
  -- Of the page that led here, to tell whether this one says something new.
  parent     int[],
  parent_shape text COLLATE "C",
  done       boolean NOT NULL DEFAULT false,
  position   bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (run_id, url)
);
CREATE INDEX frontier_by_turn ON frontier (run_id, host, depth, position) WHERE NOT done;
SELECT isolate_by_tenant('frontier');
SELECT let_worker_cross_tenants('frontier');

-- One request at a time on a host, over all runs and replicas, and not before its pause is over. It is about hosts of
-- the world, not about tenants.
CREATE TABLE crawl_hosts (
  host        text PRIMARY KEY COLLATE "C",
  busy_by     text,
  busy_until  timestamptz,
  next_at     timestamptz NOT NULL DEFAULT now()
);
