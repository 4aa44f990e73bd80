-- read.lua – read who was seen recently.
-- KEYS 1 clients by user (hash of JSON)
-- ARGV 1 user, or '' for all users
-- Returns pairs of user and JSON.
if ARGV[1] == '' then return redis.call('HGETALL', KEYS[1]) end
local clients = redis.call('HGET', KEYS[1], ARGV[1])
return clients and {ARGV[1], clients} or {}
