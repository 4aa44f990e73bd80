/** The interface through which operators connect the far ends of a product's tenants, without the command line. */
import type { Kernel, Storage } from '../kernel';
import type { Keyspace } from '../redis/connections';
import type { FarEndKind } from './far-end';

export type KeeperParts = Storage & Keyspace & Pick<Kernel, 'lifecycle' | 'log' | 'pause'>;

export interface FarEndField {
  readonly name: string;
  /** `secret` is stored encrypted and never shown again; `lines` has one value on each line. */
  readonly kind: 'text' | 'address' | 'secret' | 'lines';
  readonly isRequired: boolean;
}

/** A make of PBX, or a carrier. */
export interface FarEndType {
  readonly type: string;
  readonly fields: readonly FarEndField[];
}

export type FieldValues = Readonly<Record<string, string>>;

export interface FarEndDraft {
  readonly tenant: string;
  readonly type: string;
  readonly fields: FieldValues;
}

export interface KeptFarEnd {
  readonly id: string;
  readonly tenant: string;
  readonly type: string;
  /** Without those that are secret. */
  readonly fields: FieldValues;
}

/** What the other side has to be told, such as the address of a webhook. */
export type Shown = Readonly<Record<string, string>>;

export interface TestResult {
  readonly isWell: boolean;
  readonly tookMs: number;
  /** A sentence for people. */
  readonly detail: string;
}

export interface FarEndKeeper {
  readonly kind: FarEndKind;
  readonly types: readonly FarEndType[];
  /** What a test needs to be told. */
  readonly testFields: readonly FarEndField[];
  get(kernel: KeeperParts, id: string): Promise<KeptFarEnd | undefined>;
  add(kernel: KeeperParts, draft: FarEndDraft): Promise<{ readonly id: string; readonly shown: Shown }>;
  /** Empty secrets stay as they are; every other field is replaced. */
  change(kernel: KeeperParts, id: string, fields: FieldValues): Promise<Shown>;
  /** Calls it, and says in words what came of it. */
  test(kernel: KeeperParts, id: string, fields: FieldValues): Promise<TestResult>;
  remove(kernel: KeeperParts, id: string): Promise<void>;
}

export const field = (name: string, kind: FarEndField['kind'], isRequired = false): FarEndField => ({
  name,
  kind,
  isRequired,
});
