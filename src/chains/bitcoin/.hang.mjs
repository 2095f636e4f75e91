import fc from 'fast-check'
import { createBitcoinChain } from './family.ts'
import { sampleOptions, sampleOrder, btc } from './sample-order.ts'
import { startFakeEsplora } from './start-fake-esplora.ts'
const fake = await startFakeEsplora()
const chain = createBitcoinChain(sampleOptions([fake.url]))
let n = 0, worst = 0
process.on('exit', () => fake.stop())
const t0 = performance.now()
try {
await fc.assert(fc.asyncProperty(fc.array(fc.bigInt(400n, 200_000n), { minLength: 1, maxLength: 8 }), fc.bigInt(1_000n, 300_000n), fc.double({ min: 0.1, max: 50, noNaN: true }), async (coins, units, rate) => {
  const a = performance.now()
  fake.ledger.entries.clear(); for (const c of coins) fake.ledger.fund(chain.account, c)
  fake.ledger.feeRates['2'] = rate
  const order = sampleOrder(chain.sourceExtras.delegate, units)
  const d = chain.decodeDeposit({family:'bitcoin', to: order.source.swapId, units}, order, btc)
  try {
  const p = await chain.planMove({purpose:'initiate', asset: btc, deposit: d}, new Set())
  if (!('refused' in p)) { const s = await chain.signMove(p); const b = performance.now(); await chain.broadcastMove(s)
    const tx = fake.ledger.entries.get(s.txid).tx; const fee = fake.ledger.feeOf(tx)
    const bad = []
    if (tx.outs[0].value !== units) bad.push('units'); if (fee !== p.maxFeeUnits) bad.push('fee')
    if (Number(fee)/tx.virtualSize() < Math.min(rate,50)) bad.push('rate ' + fee + ' ' + tx.virtualSize())
    if (fee > 50n * BigInt(tx.virtualSize() + tx.ins.length) + 330n) bad.push('cap')
    if (bad.length) console.log('BAD', bad, coins, units, rate) }
  else { const have = coins.reduce((x,y)=>x+y,0n); if (BigInt(p.refused[0].needUnits) <= have || BigInt(p.refused[0].haveUnits) !== have) console.log('NEED', p.refused, coins, units, rate) }
  } catch (e) { console.log('THROWN', e.code, e.message, e.details, coins, units, rate, (performance.now()-a).toFixed(0)+'ms') }
  n++; const ms = performance.now()-a; if (ms > 300) console.log('slow', ms.toFixed(0), coins.length)
}), { numRuns: 400 })
} catch (e) { console.log(String(e).slice(0,500)) }
console.log(n, 'runs', ((performance.now()-t0)/n).toFixed(1), 'ms each'); await fake.stop()
