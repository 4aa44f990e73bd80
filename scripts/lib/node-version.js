'use strict';

/** Refuses a Node that is too old, before anything else fails with an obscure error. */

const { Failure } = require('./failure');

const MINIMUM = [20, 19];

/** @param {string} [version] */
function checkNodeVersion(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantMajor = 0, wantMinor = 0] = MINIMUM;
  if (major > wantMajor || (major === wantMajor && minor >= wantMinor)) return;
  throw new Failure(`Node ${version} is too old: install Node ${MINIMUM.join('.')} or newer and try again.`);
}

module.exports = { checkNodeVersion };
