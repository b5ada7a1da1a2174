"""Streamlit pages over MLflow: they read and draw, and compute nothing of their own."""
