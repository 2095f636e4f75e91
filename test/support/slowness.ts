/** So many times a bound of time is longer on an emulated processor (`release/arm64.sh`). */
export const SLOWNESS = "BALLAST_EMULATED" in process.env ? 3 : 1
