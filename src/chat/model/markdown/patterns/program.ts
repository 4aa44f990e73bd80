/** Compiles a pattern to steps for the matcher. */
import { complement, type CharacterRange, type Node } from './pattern';

export type Step =
  | { readonly kind: 'set'; readonly ranges: readonly CharacterRange[] }
  | { readonly kind: 'fork'; readonly first: number; readonly second: number }
  | { readonly kind: 'jump'; readonly to: number }
  | { readonly kind: 'save'; readonly slot: number }
  | { readonly kind: 'assert'; readonly what: 'start' | 'end' | 'boundary' | 'no-boundary' }
  | { readonly kind: 'end' };

/** A step whose targets are filled in once the rest is compiled. */
interface Draft {
  readonly kind: Step['kind'];
  readonly ranges?: readonly CharacterRange[];
  readonly slot?: number;
  readonly what?: 'start' | 'end' | 'boundary' | 'no-boundary';
  first?: number;
  second?: number;
  to?: number;
}

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
  const steps: Draft[] = [];
  const names: string[] = [];
  lay(node, steps, names);
  steps.push({ kind: 'end' });
  if (steps.length > MAX_STEPS) return undefined;
  const seen = { marks: new Uint32Array(steps.length), round: 0 };
  return { steps: steps as Step[], names, first: firstOf(steps as Step[]), seen };
}

function lay(node: Node, steps: Draft[], names: string[]): void {
  if (steps.length > MAX_STEPS) return;
  switch (node.kind) {
    case 'set':
      steps.push({ kind: 'set', ranges: node.isNegated ? complement(node.ranges) : node.ranges });
      break;
    case 'assert':
      steps.push({ kind: 'assert', what: node.what });
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

function layGroup(node: Node, name: string, steps: Draft[], names: string[]): void {
  if (!names.includes(name)) names.push(name);
  const slot = names.indexOf(name) * 2;
  steps.push({ kind: 'save', slot });
  lay(node, steps, names);
  steps.push({ kind: 'save', slot: slot + 1 });
}

function layChoice(options: readonly Node[], steps: Draft[], names: string[]): void {
  const jumps: Draft[] = [];
  for (const [index, option] of options.entries()) {
    const fork: Draft = { kind: 'fork' };
    if (index < options.length - 1) steps.push(fork);
    fork.first = steps.length;
    lay(option, steps, names);
    if (index < options.length - 1) {
      const jump: Draft = { kind: 'jump' };
      jumps.push(jump);
      steps.push(jump);
    }
    fork.second = steps.length;
  }
  for (const jump of jumps) jump.to = steps.length;
}

function layRepeat(node: Node & { kind: 'repeat' }, steps: Draft[], names: string[]): void {
  for (let count = 0; count < node.least; count += 1) lay(node.node, steps, names);
  const forks: Draft[] = [];
  const optional = node.most === Infinity ? 1 : node.most - node.least;
  for (let count = 0; count < optional && steps.length <= MAX_STEPS; count += 1) {
    const fork: Draft = { kind: 'fork' };
    const at = steps.push(fork) - 1;
    fork.first = at + 1;
    forks.push(fork);
    lay(node.node, steps, names);
    if (node.most === Infinity) steps.push({ kind: 'jump', to: at });
  }
  for (const fork of forks) {
    fork.second = steps.length;
    if (node.isLazy) [fork.first, fork.second] = [fork.second, fork.first!];
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
