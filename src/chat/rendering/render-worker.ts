/** Renders in its own thread, so that the caller can terminate it. */
import { parentPort } from 'node:worker_threads';
import { Fault, recordFault } from '../../kernel/fault';
import { render } from '../model/markdown/render';
import { unableToRender } from '../model/markdown/unable-to-render';
import type { Answer, Question } from './conversation';

function answer({ content, context }: Question): Answer {
  try {
    return { rendered: render(content, context) };
  } catch (error) {
    return { fault: recordFault(error instanceof Fault ? error : unableToRender()) };
  }
}

parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)));
parentPort?.postMessage('ready');
