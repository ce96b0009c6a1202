"""The laboratory: bounded verification of reduction schemes, after section 4 of Siegel's paper."""
