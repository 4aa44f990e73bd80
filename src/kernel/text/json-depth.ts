/** Detects JSON that nests too deeply before anything recursive sees it: a validator would overflow the stack. */
export function isTooDeep(json: string, limit: number): boolean {
  // Nearly all JSON has fewer brackets than the limit, and counting brackets is quick.
  return hasMore(json, '{', limit / 2) || hasMore(json, '[', limit / 2) ? depthExceeds(json, limit) : false;
}

function hasMore(text: string, sign: string, count: number): boolean {
  let found = 0;
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
    found += 1;
    if (found > count) return true;
  }
  return false;
}

function depthExceeds(json: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (inString) {
      if (character === 92 /* \ */) at += 1;
      else if (character === 34 /* " */) inString = false;
    } else if (character === 34) {
      inString = true;
    } else if (character === 123 /* { */ || character === 91 /* [ */) {
      depth += 1;
      if (depth > limit) return true;
    } else if (character === 125 /* } */ || character === 93 /* ] */) {
      depth -= 1;
    }
  }
  return false;
}
