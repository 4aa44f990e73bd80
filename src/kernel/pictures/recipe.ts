/** The messages between a process and its image decoder: what to make, and the outcome. */

export interface PictureSize {
  readonly width: number;
  readonly height: number;
  /** `cover` fills the size and crops the rest. `inside` keeps the aspect ratio and never enlarges. */
  readonly fit: 'cover' | 'inside';
}

export interface PictureRecipe {
  /** One image is made for each. */
  readonly sizes: readonly PictureSize[];
  /** `any`: JPEG if nothing is transparent, else PNG. */
  readonly format: 'png' | 'webp' | 'any';
  /** `keep`: a GIF, if the animation is within limits. `still`: its first frame. `refuse`: no image. */
  readonly animation: 'keep' | 'still' | 'refuse';
}

export interface MadePicture {
  readonly extension: 'png' | 'jpg' | 'gif' | 'webp';
  readonly bytes: Buffer;
}

/** Why no image was made. */
export type PictureRefusal = 'unreadable' | 'too-large' | 'animated';

/** The first line of the decoder's output. The bytes of the images follow, one after the other. */
export type Outcome =
  | { readonly refused: PictureRefusal }
  | { readonly made: readonly { readonly extension: MadePicture['extension']; readonly size: number }[] };
