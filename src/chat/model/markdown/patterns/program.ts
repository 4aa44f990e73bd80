/** Compiles a pattern to steps for the matcher. */
import { complement, type CharacterRange, type Node } from './pattern';

/** The targets of a fork or jump are filled in once the rest is compiled. */
interface Fork {
  readonly kind: 'fork';
  first: number;
  second: number;
}
interface Jump {
  readonly kind: 'jump';
  to: number;
}
export type Step =
  | Fork
  | Jump
  | { readonly kind: 'set'; readonly ranges: readonly CharacterRange[] }
  | { readonly kind: 'save'; readonly slot: number }
  | (Node & { kind: 'assert' })
  | { readonly kind: 'end' };

export interface Program {
  readonly steps: readonly Step[];
  readonly names: readonly string[];
  /** The characters that a match can start with, if known. They rule out most positions in a text. */
  readonly first: readonly CharacterRange[] | undefined;
  /** In which round each step was last reached; allocated once and reused. */
  readonly seen: { readonly marks: Uint32Array; round: number };
}

/** A pattern that expands to more steps is refused. */
const MAX_STEPS = 2000;

export function compileProgram(node: Node): Program | undefined {
  const steps: Step[] = [];
  const names: string[] = [];
  lay(node, steps, names);
  steps.push({ kind: 'end' });
  if (steps.length > MAX_STEPS) return undefined;
  const seen = { marks: new Uint32Array(steps.length), round: 0 };
  return { steps, names, first: firstOf(steps), seen };
}

function lay(node: Node, steps: Step[], names: string[]): void {
  if (steps.length > MAX_STEPS) return;
  switch (node.kind) {
    case 'set':
      steps.push({ kind: 'set', ranges: node.isNegated ? complement(node.ranges) : node.ranges });
      break;
    case 'assert':
      steps.push(node);
      break;
    case 'sequence':
      for (const part of node.parts) lay(part, steps, names);
      break;
    case 'group':
      layGroup(node.node, node.name, steps, names);
      break;
    case 'choice':
      layChoice(node.options, steps, names);
      break;
    case 'repeat':
      layRepeat(node, steps, names);
      break;
  }
}

function layGroup(node: Node, name: string, steps: Step[], names: string[]): void {
  if (!names.includes(name)) names.push(name);
  const slot = names.indexOf(name) * 2;
  steps.push({ kind: 'save', slot });
  lay(node, steps, names);
  steps.push({ kind: 'save', slot: slot + 1 });
}

function layChoice(options: readonly Node[], steps: Step[], names: string[]): void {
  const jumps: Jump[] = [];
  for (const [index, option] of options.entries()) {
    const fork: Fork = { kind: 'fork', first: 0, second: 0 };
    if (index < options.length - 1) steps.push(fork);
    fork.first = steps.length;
    lay(option, steps, names);
    if (index < options.length - 1) {
      const jump: Jump = { kind: 'jump', to: 0 };
      jumps.push(jump);
      steps.push(jump);
    }
    fork.second = steps.length;
  }
  for (const jump of jumps) jump.to = steps.length;
}

function layRepeat(node: Node & { kind: 'repeat' }, steps: Step[], names: string[]): void {
  for (let count = 0; count < node.least; count += 1) lay(node.node, steps, names);
  const forks: Fork[] = [];
  const optional = node.most === Infinity ? 1 : node.most - node.least;
  for (let count = 0; count < optional && steps.length <= MAX_STEPS; count += 1) {
    const at = steps.length;
    const fork: Fork = { kind: 'fork', first: at + 1, second: 0 };
    steps.push(fork);
    forks.push(fork);
    lay(node.node, steps, names);
    if (node.most === Infinity) steps.push({ kind: 'jump', to: at });
  }
  for (const fork of forks) {
    fork.second = steps.length;
    if (node.isLazy) [fork.first, fork.second] = [fork.second, fork.first];
  }
}

function firstOf(steps: readonly Step[]): CharacterRange[] | undefined {
  const ranges: CharacterRange[] = [];
  const [waiting, seen] = [[0], new Set<number>()];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (seen.has(index)) continue;
    seen.add(index);
    const step = steps[index]!;
    if (step.kind === 'end' || step.kind === 'assert') return undefined;
    if (step.kind === 'set') ranges.push(...step.ranges);
    else if (step.kind === 'fork') waiting.push(step.first, step.second);
    else waiting.push(step.kind === 'jump' ? step.to : index + 1);
  }
  return ranges;
}
