/** Worker thread that estimates how many guesses a password would take. */
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

/** A strong password is strong by this length, and the time of an estimate grows faster than its text. */
const MAX_ESTIMATED_LENGTH = 40;

const estimator = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  maxLength: MAX_ESTIMATED_LENGTH,
  // Each substitution doubles the time of some estimates.
  l33tMaxSubstitutions: 10,
});

interface Question {
  readonly password: string;
  readonly words: readonly string[];
}

parentPort?.on('message', ({ password, words }: Question) => {
  parentPort?.postMessage(estimator.check(password.slice(0, MAX_ESTIMATED_LENGTH), [...words]).guesses);
});
