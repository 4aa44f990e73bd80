-- read.lua – who was seen lately.
-- KEYS 1 clients by user (hash of JSON)
-- ARGV 1 user, or nothing for everybody
-- Returns pairs of user, JSON.
if ARGV[1] == '' then return redis.call('HGETALL', KEYS[1]) end
local clients = redis.call('HGET', KEYS[1], ARGV[1])
return clients and {ARGV[1], clients} or {}
