-- The member whose session began the sign-in, and to whom the account is linked when it is finished.
ALTER TABLE sign_in_attempts ADD COLUMN links_member text COLLATE "C";
