-- Roles and databases of a new server; run once by its superuser with psql. Passwords come from the
-- environment.
\getenv owner_password CARTE_OWNER_PASSWORD
\getenv app_password CARTE_APP_PASSWORD
\getenv temporal_password TEMPORAL_DATABASE_PASSWORD
\set monitor_password ''
\getenv monitor_password MONITOR_PASSWORD

-- Owns the schema; only `npm run migrate` uses it.
create role carte_owner login password :'owner_password';
-- Everything else uses this one; `npm run migrate` gives it its rights.
create role carte_app login password :'app_password';
create role temporal login password :'temporal_password';
-- Reads statistics of the server for the profile `monitoring`, but no rows. With an empty password
-- the role cannot sign in.
create role carte_monitor login connection limit 5 password :'monitor_password' in role pg_monitor;

create database carte owner carte_owner;
create database temporal owner temporal;
create database temporal_visibility owner temporal;

-- Without this every role may enter every database.
revoke connect, temporary on database carte, temporal, temporal_visibility, postgres from public;
grant connect on database carte to carte_app;
grant connect on database postgres to carte_monitor;
