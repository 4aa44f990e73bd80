/** The browser and system in a User-Agent, as far as they can be recognised. */
export function agentName(agent: string): string {
  const browser = /(Edg|OPR|Firefox|Chrome|Safari)\/(\d+)/.exec(agent);
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(agent);
  return browser ? `${browser[1]} ${browser[2]}${system ? ` · ${system[1]}` : ''}` : agent.slice(0, 60);
}
