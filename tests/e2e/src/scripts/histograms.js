// Every histogram as HdrHistogramJS reads it: total, largest, values at percentiles, and the count of every recorded value.
const [texts, percentiles] = arguments;
return texts.map(text => {
  const histogram = hdr.decodeFromCompressedBase64(text, 64);
  const recorded = [];
  const values = histogram.recordedValuesIterator;
  values.reset();
  while (values.hasNext()) {
    const { valueIteratedTo, countAddedInThisIterationStep } = values.next();
    recorded.push([valueIteratedTo, countAddedInThisIterationStep]);
  }
  return {
    total: histogram.totalCount,
    max: histogram.maxValue,
    at: percentiles.map(percentile => histogram.getValueAtPercentile(percentile)),
    recorded,
  };
});
