'use strict';

/**
 * npm start: everything, in the foreground. Installs and builds what has changed, brings up private Redis and MariaDB
 * unless REDIS_URL and DATABASE_URL are set, migrates, seeds, and keeps nodes, workers and the simulated PBX alive until
 * Ctrl-C. It needs nothing but Node: node_modules may not exist yet.
 */

const fs = require('node:fs');
const path = require('node:path');
const { banner } = require('./lib/start/banner');
const { ensureBuild } = require('./lib/build/build');
const { ensureWebBuild } = require('./lib/build/build-web');
const { ensureDependencies } = require('./lib/build/dependencies');
const { removeEnvironment, writeEnvironment } = require('./lib/start/environment-file');
const { Failure, reportFailure } = require('./lib/failure');
const { onInterrupt } = require('./lib/interrupts');
const { endLeftovers, lockDataDirectory } = require('./lib/start/lock');
const { checkNodeVersion } = require('./lib/node-version');
const { ownProcesses, sharedEnvironment } = require('./lib/start/own-processes');
const { privateDirectory } = require('./lib/paths');
const { checkPorts } = require('./lib/start/port-check');
const { prepareServers } = require('./lib/servers/private-servers');
const { createProgress } = require('./lib/progress');
const { endRunning } = require('./lib/run-command');
const { noteSetUp, runSetUp, setUpData, wasSetUp } = require('./lib/start/set-up-data');
const { readSettings } = require('./lib/start/settings');
const { createStack } = require('./lib/start/stack');

/** @typedef {import('./lib/start/settings').Settings} Settings */

const INTERRUPTED = 130;

const progress = createProgress();
const stopped = new AbortController();
let isEnding = false;
/** @type {() => void} */
let onHurry = () => undefined;
/** What to undo at the end, in reverse order. @type {(() => void | Promise<void>)[]} */
const undo = [];

function openDirectories(/** @type {string} */ dataDir) {
  try {
    privateDirectory(dataDir);
    const [run, logs] = ['run', 'logs'].map((name) => privateDirectory(path.join(dataDir, name)));
    fs.accessSync(String(run), fs.constants.W_OK);
    return { run: String(run), logs: String(logs) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(`Cannot write to ${dataDir} (${reason}): set DATA_DIR to a directory of yours.`);
  }
}

function goOn() {
  if (stopped.signal.aborted) throw new Failure('Interrupted.', { exitCode: INTERRUPTED });
}

/**
 * Redis and MariaDB: the user's or private ones.
 *
 * @param {Settings} settings
 * @param {ReturnType<typeof openDirectories>} places
 * @param {() => void} release
 */
async function startServers(settings, places, release) {
  const services = await prepareServers(settings, progress);
  undo.push(services.stop);
  goOn();
  const stack = createStack(places, progress.line);
  undo.push(stack.stop);
  onHurry = () => {
    stack.kill();
    release();
  };
  const env = sharedEnvironment(settings, services);
  undo.push(() => removeEnvironment(settings.dataDir));
  writeEnvironment(settings.dataDir, env);
  if (services.children.length > 0) {
    const names = services.children.map((child) => child.name).join(' and ');
    await progress.step(`Starting ${names}`, () => stack.add(services.children));
    goOn();
  }
  return { stack, env };
}

/** @param {Settings} settings @param {Awaited<ReturnType<typeof startServers>>} servers */
async function startProcesses(settings, { stack, env }) {
  const processes = ownProcesses(settings, env);
  const names = processes.map((child) => child.name).join(', ');
  const hasTables = wasSetUp(settings);
  if (!hasTables) {
    await setUpData(progress, env, settings.production);
    noteSetUp(settings);
    goOn();
  }
  await progress.step(`Starting ${names}`, () => stack.add(processes));
  // Every table was there before, so the set-up need not compete with the start; nodes wait for new tables themselves.
  if (hasTables) runSetUp(env, settings.production, 19).catch((error) => isEnding || reportFailure(error));
}

async function start() {
  checkNodeVersion();
  const settings = readSettings(process.env);
  const places = openDirectories(settings.dataDir);
  const release = await lockDataDirectory(settings.dataDir, places.run);
  undo.push(release);
  await endLeftovers(places.run, settings.dataDir);
  await checkPorts(settings);
  // Each step begins as soon as the steps that it needs are done.
  const servers = startServers(settings, places, release);
  const packages = ensureDependencies(progress).then(goOn);
  const program = packages.then(() => ensureBuild(progress, { tools: false })).then(goOn);
  const [{ stack }] = await Promise.all([
    servers,
    packages.then(() => ensureWebBuild(progress)),
    Promise.all([servers, program]).then(([started]) => startProcesses(settings, started)),
  ]);
  goOn();
  console.log(banner(settings));
  return stack;
}

function waitForStop() {
  return new Promise((resolve) => {
    // A signal handler alone does not keep a process alive.
    const alive = setInterval(() => undefined, 1 << 30);
    const end = () => {
      clearInterval(alive);
      resolve(undefined);
    };
    if (stopped.signal.aborted) end();
    else stopped.signal.addEventListener('abort', end);
  });
}

async function main() {
  // The reader of our output may go away; the children must not be affected.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  onInterrupt({
    stop: (reason) => {
      progress.line(`Stopping (${reason}); once more stops at once.`);
      stopped.abort();
      endRunning('SIGTERM');
    },
    hurry: () => {
      endRunning('SIGKILL');
      onHurry();
      process.exit(INTERRUPTED);
    },
  });
  let code = 0;
  try {
    const stack = await start();
    await Promise.race([waitForStop(), stack.lost]);
  } catch (error) {
    if (!stopped.signal.aborted) code = reportFailure(error);
  }
  // A step that ran beside the failed one may still be running.
  isEnding = true;
  endRunning('SIGTERM');
  for (const each of undo.reverse()) await each();
  if (stopped.signal.aborted) console.log('Stopped.');
  process.exit(code);
}

void main();
