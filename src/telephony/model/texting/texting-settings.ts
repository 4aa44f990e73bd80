/** What everything that talks to carriers, or hands files to them, needs to know. */
export interface TextingSettings {
  /** The address that carriers were given. */
  readonly publicUrl: string;
  readonly carrierCallMs: number;
  readonly carrierUnknownMs: number;
  readonly carrierGiveUpMs: number;
  readonly fileLimitBytes: number;
  readonly fileUrlMs: number;
  readonly breakerOpenMs: number;
  readonly breakerFailures: number;
}
