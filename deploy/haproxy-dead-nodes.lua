-- Cuts the requests and sockets of a dead node, so that their clients move to another node. A node is dead if it
-- refuses connections, or if it has not answered for much longer than overload explains. A slow node keeps everything
-- that it has. So does the last node, however slow it is: its clients have no other.

-- How long a node is out of rotation without an answer before it counts as dead. HAProxy's own checks come first.
local SILENT_SECONDS = 15
local EVERY_MS = 500
local BACKENDS = { 'nodes', 'sockets' }

local function is_usable(stats)
  return stats.status:find('^UP') ~= nil
end

local function is_dead(stats)
  local is_down = stats.status:find('^DOWN') ~= nil
  local refuses = stats.check_status:find('L4CON') ~= nil
  return is_down and (refuses or tonumber(stats.lastchg) >= SILENT_SECONDS)
end

-- In each backend a node has a second name, for when no node is usable: the address tells that both are one.
local function cut(address)
  for _, name in ipairs(BACKENDS) do
    for _, server in pairs(core.backends[name].servers) do
      if server:get_addr() == address then server:shut_sess() end
    end
  end
end

local function look()
  local dead, has_usable = {}, false
  for _, server in pairs(core.backends['nodes'].servers) do
    local stats = server:get_stats()
    -- Servers without a check are the second names.
    if stats.check_status ~= nil then
      has_usable = has_usable or is_usable(stats)
      if is_dead(stats) then table.insert(dead, server:get_addr()) end
    end
  end
  if has_usable then
    for _, address in ipairs(dead) do cut(address) end
  end
end

core.register_task(function()
  while true do
    look()
    core.msleep(EVERY_MS)
  end
end)
