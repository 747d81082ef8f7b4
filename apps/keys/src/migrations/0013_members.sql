-- The people of a tenant. Each is also a row of api_keys of the kind 'member' whose secret nobody has: what a member may
-- do, and until when, is read from there, and sessions stand for it as they do for a key.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_kind_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_kind_check
  CHECK (kind IN ('live', 'test', 'ephemeral', 'memory', 'member')) NOT VALID;

CREATE TABLE members (
  tenant_id         text NOT NULL COLLATE "C",
  member_id         text PRIMARY KEY COLLATE "C" REFERENCES api_keys (key_id) ON DELETE CASCADE,
  -- In lower case.
  email             text NOT NULL,
  role              text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'reviewer', 'viewer')),
  invited_by        text NOT NULL COLLATE "C",
  -- The account at the identity provider, once the member has signed in with it.
  issuer            text,
  subject           text,
  created_at        timestamptz NOT NULL DEFAULT now(),
  last_signed_in_at timestamptz,
  -- Set with api_keys.revoked_at.
  removed_at        timestamptz,
  CHECK ((issuer IS NULL) = (subject IS NULL))
);
CREATE INDEX members_by_tenant ON members (tenant_id, member_id);
CREATE UNIQUE INDEX members_by_email ON members (tenant_id, email) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX members_by_account ON members (tenant_id, issuer, subject) WHERE removed_at IS NULL;
-- A sign-in names no tenant.
CREATE INDEX members_of_account ON members (issuer, subject) WHERE removed_at IS NULL;
CREATE INDEX members_of_email ON members (email) WHERE removed_at IS NULL;
SELECT isolate_by_tenant('members');
SELECT let_worker_cross_tenants('members');

CREATE TABLE member_invitations (
  tenant_id     text NOT NULL COLLATE "C",
  invitation_id text PRIMARY KEY COLLATE "C",
  email         text NOT NULL,
  role          text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'reviewer', 'viewer')),
  -- The key or the member on whose authority it is accepted.
  invited_by    text NOT NULL COLLATE "C" REFERENCES api_keys (key_id) ON DELETE CASCADE,
  sha256        bytea NOT NULL UNIQUE CHECK (octet_length(sha256) = 32),
  created_at    timestamptz NOT NULL DEFAULT now(),
  expires_at    timestamptz NOT NULL,
  accepted_at   timestamptz,
  member_id     text COLLATE "C",
  revoked_at    timestamptz
);
CREATE INDEX member_invitations_by_tenant ON member_invitations (tenant_id, invitation_id);
CREATE INDEX member_invitations_by_inviter ON member_invitations (invited_by);
CREATE INDEX member_invitations_by_email ON member_invitations (email)
  WHERE accepted_at IS NULL AND revoked_at IS NULL;
CREATE INDEX member_invitations_by_end ON member_invitations (expires_at);
SELECT isolate_by_tenant('member_invitations');
SELECT let_worker_cross_tenants('member_invitations');

-- Sign-ins at the identity provider that a browser has begun. Nobody has proved anything yet, so they belong to no tenant.
CREATE TABLE sign_in_attempts (
  -- Of the secret that the browser keeps.
  sha256            bytea PRIMARY KEY CHECK (octet_length(sha256) = 32),
  state             text NOT NULL,
  nonce             text NOT NULL,
  code_verifier     text NOT NULL,
  invitation_sha256 bytea,
  wanted_member     text COLLATE "C",
  expires_at        timestamptz NOT NULL
);
CREATE INDEX sign_in_attempts_by_end ON sign_in_attempts (expires_at);
