import { type Clock, systemClock } from "#lib/clock.ts"

/** Pauses shorter than an answer may take end at once; an answer has its real time. */
export function createHastyClock(answerMs: number): Clock {
  return {
    ...systemClock,
    sleep: (ms, signal) => systemClock.sleep(ms < answerMs ? 0 : ms, signal),
  }
}
