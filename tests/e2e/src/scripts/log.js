// Every histogram of a log as HdrHistogramJS reads it, by its tag; and one series as it writes its percentile distribution, in ms.
const [log, percentiles, series] = arguments;
const reader = new hdr.HistogramLogReader(log, 64);
const histograms = {};
let distribution = "";
for (let histogram = reader.nextIntervalHistogram(); histogram; histogram = reader.nextIntervalHistogram()) {
  const recorded = [];
  const values = histogram.recordedValuesIterator;
  values.reset();
  while (values.hasNext()) {
    const { valueIteratedTo, countAddedInThisIterationStep } = values.next();
    recorded.push([valueIteratedTo, countAddedInThisIterationStep]);
  }
  histograms[histogram.tag] = {
    total: histogram.totalCount,
    max: histogram.maxValue,
    at: percentiles.map(percentile => histogram.getValueAtPercentile(percentile)),
    recorded,
  };
  if (histogram.tag === series) distribution = histogram.outputPercentileDistribution(5, 1000);
}
return { histograms, distribution };
