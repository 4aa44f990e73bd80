'use strict';

/** Checks that every port we will listen on is free, and names those that are not before anything is started. */

const { Failure } = require('../failure');
const { isPortFree } = require('../ports');

/** @param {import('./settings').Settings} settings */
function wantedPorts(settings) {
  const ports = Array.from({ length: settings.nodes }, (_, index) => ({
    port: settings.port + index,
    variable: 'PORT',
    user: `node-${index + 1}`,
  }));
  if (!settings.production) ports.push({ port: settings.pbxPort, variable: 'PBX_SIM_PORT', user: 'the simulated PBX' });
  return ports;
}

/** @param {import('./settings').Settings} settings */
async function checkPorts(settings) {
  const seen = new Map();
  for (const { port, variable, user } of wantedPorts(settings)) {
    const other = seen.get(port);
    if (other !== undefined) {
      throw new Failure(`Port ${port} is wanted by ${other} and by ${user}: set PBX_SIM_PORT to another port.`);
    }
    seen.set(port, user);
    if (await isFree(port, settings.host)) continue;
    throw new Failure(
      `Port ${port} (for ${user}) is taken by another program: stop that program or set ${variable} to a free port.`,
    );
  }
}

/** @param {number} port @param {string} host */
async function isFree(port, host) {
  try {
    return await isPortFree(port, host);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`Cannot listen on ${host} (${reason}): set HOST to an address of this machine.`);
  }
}

module.exports = { checkPorts };
