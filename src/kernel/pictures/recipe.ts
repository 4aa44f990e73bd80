/** What to make of a picture, and what became of it: the messages between a process and its decoder. */

export interface PictureSize {
  readonly width: number;
  readonly height: number;
  /** `cover` fills the size and cuts off what sticks out. `inside` keeps the shape and enlarges nothing. */
  readonly fit: 'cover' | 'inside';
}

export interface PictureRecipe {
  /** One picture is made for each. */
  readonly sizes: readonly PictureSize[];
  /** `any`: JPEG where nothing is transparent, PNG otherwise. */
  readonly format: 'png' | 'any';
  /** `keep`: a GIF, if the animation is within bounds. `still`: its first frame. `refuse`: nothing is made of it. */
  readonly animation: 'keep' | 'still' | 'refuse';
}

export interface MadePicture {
  readonly extension: 'png' | 'jpg' | 'gif';
  readonly bytes: Buffer;
}

/** Why nothing was made of a picture. */
export type PictureRefusal = 'unreadable' | 'too-large' | 'animated';

/** The first line of what the decoding process writes. The bytes of the pictures follow, one after the other. */
export type Outcome =
  | { readonly refused: PictureRefusal }
  | { readonly made: readonly { readonly extension: MadePicture['extension']; readonly size: number }[] };
