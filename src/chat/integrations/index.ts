/** The integrations this server has, by the name in their address. A folder of its own for each: see CONTRIBUTING. */
import { helloworld } from './helloworld/helloworld';
import type { Integration } from './integration';
import { json } from './json/json';

const all: readonly Integration[] = [helloworld, json];

export const integrations: ReadonlyMap<string, Integration> = new Map(all.map((each) => [each.name, each]));
