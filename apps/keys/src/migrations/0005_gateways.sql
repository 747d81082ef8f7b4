-- The gateways that may use what they know of credentials, and until when. One clock judges: this database's.
CREATE TABLE gateway_leases (
  gateway_id text PRIMARY KEY COLLATE "C",
  address    text NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Not renewed any more: the gateway could not be reached.
  fenced     boolean NOT NULL DEFAULT false
);
CREATE INDEX gateway_leases_by_end ON gateway_leases (expires_at);

-- Denials that were begun. One that is not ended in time is taken up by another replica.
CREATE TABLE open_denials (
  denial_id      text PRIMARY KEY COLLATE "C",
  credential_ids text[] NOT NULL,
  begun_at       timestamptz NOT NULL DEFAULT now()
);

DO $$ BEGIN
  EXECUTE format('REVOKE ALL ON gateway_leases, open_denials FROM %I', current_schema() || '_app');
END $$;
