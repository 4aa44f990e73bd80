-- drop.lua – delete a queue.
-- KEYS 1 queue  2 the user's queues
-- ARGV 1 queue id
-- Returns 1, or 0 if the queue did not exist.
redis.call('ZREM', KEYS[2], ARGV[1])
return redis.call('DEL', KEYS[1])
