-- read.lua – look at a queue.
-- KEYS 1 queue
-- Returns its fields and values; nothing when it is gone.
return redis.call('HGETALL', KEYS[1])
