/** JSON may hold lone surrogates (`\ud800`), which MySQL cannot store. Rows and events must hold the same text. */
const MAY_HOLD_HALVES = /\\u[dD][89a-fA-F]/;
const HALF = /\p{Surrogate}/gu;

export const mayHoldHalves = (json: string): boolean => MAY_HOLD_HALVES.test(json);

/** Parses JSON and replaces each lone surrogate by the replacement character. */
export function parseWhole(json: string): unknown {
  if (!mayHoldHalves(json)) return JSON.parse(json) as unknown;
  return JSON.parse(json, (_, value: unknown) =>
    typeof value === 'string' ? value.replace(HALF, '\ufffd') : value,
  ) as unknown;
}
