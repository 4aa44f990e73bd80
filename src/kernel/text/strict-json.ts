/** JSON may hold lone surrogates (`\ud800`), which MySQL cannot store. Rows and events must hold the same text. */
const MAY_HOLD_LONE_SURROGATES = /\\u[dD][89a-fA-F]/;
const LONE_SURROGATE = /\p{Surrogate}/gu;

export const mayHoldLoneSurrogates = (json: string): boolean => MAY_HOLD_LONE_SURROGATES.test(json);

/** Parses JSON and replaces each lone surrogate by the replacement character. */
export function parseStrictJson(json: string): unknown {
  if (!mayHoldLoneSurrogates(json)) return JSON.parse(json) as unknown;
  return JSON.parse(json, (_, value: unknown) =>
    typeof value === 'string' ? value.replace(LONE_SURROGATE, '\ufffd') : value,
  ) as unknown;
}
