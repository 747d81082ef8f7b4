-- `documents_by_vault` gives what comes after a document just as well. Without statistics, this one was taken for the
-- primary key's, whose columns it has, and read from end to end for each document that was looked up.
DROP INDEX documents_in_order;
