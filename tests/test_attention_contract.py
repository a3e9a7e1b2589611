"""The contract of tinytorch.core.attention, line by line. Gradients are PyTorch's, from tests/record/12_attention.py."""
import inspect
import math

import numpy as np
import pytest
from tinytorch.core import attention
from tinytorch.core.attention import (AttentionEfficiencyProfiler, SelfAttention, create_bidirectional_mask, create_causal_mask, create_padding_mask,
                                      scaled_dot_product_attention)
from tinytorch.core.tensor import Tensor

wave = lambda *shape, step=1.: np.cos(step * np.arange(np.prod(shape))).reshape(shape)
MASK = [[1, 0, 1, 1, 0], [0, 0, 0, 1, 0], [1, 1, 1, 1, 1]]
FORMS = {'list': list, 'array': np.array, 'floats': np.float32, 'booleans': lambda m: np.array(m, bool), 'Tensor': Tensor, 'float Tensor': lambda m: Tensor(np.float64(m))}


def inputs(): return [Tensor(wave(*shape, step=step), requires_grad=True) for shape, step in (((2, 3, 4), 1.), ((2, 5, 4), .5), ((2, 5, 6), .9))]


def test_all_names_the_contract():
    assert {'scaled_dot_product_attention', 'SelfAttention', 'create_causal_mask', 'create_padding_mask', 'create_bidirectional_mask',
            'AttentionEfficiencyProfiler'} <= set(attention.__all__)


@pytest.mark.parametrize('function, parameters', [
    (scaled_dot_product_attention, ['Q', 'K', 'V', 'mask=None']), (SelfAttention.__init__, ['self', 'd_model']), (SelfAttention.forward, ['self', 'x', 'mask=None']),
    (create_causal_mask, ['seq_len']), (create_padding_mask, ['lengths', 'max_length']), (create_bidirectional_mask, ['seq_len']),
    (AttentionEfficiencyProfiler.__init__, ['self']), (AttentionEfficiencyProfiler.profile_attention_scaling, ['self', 'sequence_lengths=(64, 128, 256, 512)']),
    (AttentionEfficiencyProfiler.analyze_multi_head_efficiency, ['self', 'num_heads_range=(1, 2, 4, 8)', 'seq_len=128', 'd_model=512'])])
def test_arguments(function, parameters): assert [str(p) for p in inspect.signature(function).parameters.values()] == parameters


def test_values_and_shapes():
    output, weights = scaled_dot_product_attention(*inputs())
    assert type(output) is type(weights) is Tensor and output.shape == (2, 3, 6) and weights.shape == (2, 3, 5)
    np.testing.assert_allclose(output.numpy().ravel()[:4], [-.03865341, .15957961, .23704596, .13512065], atol=1e-8)
    np.testing.assert_allclose(weights.numpy().sum(-1), np.ones((2, 3)))


def test_leading_dimensions_broadcast():
    output, weights = scaled_dot_product_attention(wave(7, 1, 3, 4), wave(2, 5, 4), wave(5, 6))
    assert output.shape == (7, 2, 3, 6) and weights.shape == (7, 2, 3, 5)
    output, _ = scaled_dot_product_attention(wave(3, 4), wave(5, 4), wave(5, 6))
    assert output.shape == (3, 6)


def test_stable_for_large_logits():
    with np.errstate(all='raise', under='ignore'):
        output, weights = scaled_dot_product_attention([[1e4, 0.], [-1e4, 0.]], [[1., 0.], [-1., 0.]], [[1.], [2.]])
    np.testing.assert_allclose(output.numpy(), [[1], [2]])


@pytest.mark.parametrize('form', FORMS.values(), ids=FORMS)
def test_every_form_of_mask_blocks(form):
    """Fails for an implementation that reads mask.data of an array, a memoryview, which compares False with everything."""
    q, k, v = inputs()
    output, weights = scaled_dot_product_attention(q, k, v, form(MASK))
    np.testing.assert_allclose(weights.numpy()[0, 0], [.47825987, 0, .11993279, .40180734, 0], atol=1e-8)
    assert (weights.numpy()[:, np.array(MASK) == 0] == 0).all()
    ((output * wave(2, 3, 6, step=.7)).sum() + (weights * wave(2, 3, 5, step=.4)).sum()).backward()
    for t, expected in zip((q, k, v), ([-.01530787, .11650126, .2164774], [.56689269, .03429739, -1.30400623], [.43627885, .07043204, .66465328])):
        g = t.grad.numpy()
        np.testing.assert_allclose([g.ravel()[0], g.ravel()[-1], (g * wave(*g.shape, step=.3)).sum()], expected, atol=1e-8)


def test_scores_are_set_not_lowered():
    _, weights = scaled_dot_product_attention([[1e6]], [[1e6], [0.]], [[1.], [2.]], [[0, 1]])
    assert weights.tolist() == [[0, 1]]


def test_fully_blocked_row():
    q, k, v = (Tensor(wave(*s), requires_grad=True) for s in ((2, 3), (4, 3), (4, 2)))
    output, weights = scaled_dot_product_attention(q, k, v, np.zeros((2, 4)))
    assert weights.tolist() == [[.25] * 4] * 2
    output.sum().backward()
    np.testing.assert_array_equal(v.grad.numpy(), np.full((4, 2), .5))
    assert not q.grad.numpy().any() and not k.grad.numpy().any()


@pytest.mark.parametrize('dtype', [np.float32, np.float64])
def test_dtype(dtype):
    tensors = [Tensor(wave(3, 4).astype(dtype), requires_grad=True) for _ in range(3)]
    output, weights = scaled_dot_product_attention(*tensors, np.ones((3, 3)))
    assert output.dtype == weights.dtype == dtype
    output.sum().backward()
    assert all(t.grad.dtype == dtype for t in tensors)


@pytest.mark.parametrize('shapes, words', [
    (((2, 3), (4, 5), (4, 5)), r'\(2, 3\).*\(4, 5\)'), (((2, 3), (4, 3), (5, 3)), r'\(4, 3\).*\(5, 3\)'),
    (((2, 2, 3), (3, 4, 3), (4, 3)), r'\(2, 2, 3\).*\(3, 4, 3\)'), (((3,), (4, 3), (4, 3)), r'\(3,\)')])
def test_shapes_that_do_not_fit(shapes, words):
    with pytest.raises(ValueError, match=words): scaled_dot_product_attention(*map(np.ones, shapes))


def test_mask_that_does_not_fit():
    with pytest.raises(ValueError, match=r'\(3, 3\).*\(2, 4\)'): scaled_dot_product_attention(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 3)), np.ones((3, 3)))


def test_self_attention(capsys):
    layer = SelfAttention(4)
    assert capsys.readouterr().out == '' and layer.d_model == 4 and list(layer.parameters()) == []
    x = Tensor(wave(2, 3, 4))
    for call in layer, layer.forward:
        for mine, theirs in zip(call(x, create_causal_mask(3)), scaled_dot_product_attention(x, x, x, create_causal_mask(3))):
            np.testing.assert_array_equal(mine.numpy(), theirs.numpy())
    with pytest.raises(ValueError, match='4.*5|5.*4'): layer(Tensor(wave(3, 5)))


def test_masks():
    assert type(create_causal_mask(3)) is np.ndarray
    assert create_causal_mask(3).tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert create_padding_mask([2, 0], 3).tolist() == [[[1, 1, 0], [1, 1, 0], [0, 0, 0]], [[0] * 3] * 3]
    assert create_bidirectional_mask(2).tolist() == [[1, 1], [1, 1]]
    assert create_causal_mask(0).shape == create_bidirectional_mask(0).shape == (0, 0) and create_padding_mask([0], 0).shape == (1, 0, 0)
    for lengths in [-1], [4]:
        with pytest.raises(ValueError): create_padding_mask(lengths, 3)


@pytest.mark.parametrize('make', [create_causal_mask, create_bidirectional_mask])
def test_bad_lengths(make):
    with pytest.raises(ValueError): make(-1)
    for n in 2.5, '3', None, True:
        with pytest.raises(TypeError): make(n)


def test_profile_scaling():
    profiler = AttentionEfficiencyProfiler()
    assert (profiler.profiling_data, profiler.scaling_analysis, profiler.optimization_insights) == ({}, {}, [])
    result = profiler.profile_attention_scaling((64, 16, 32))
    assert set(result) == {'detailed_results', 'scaling_analysis', 'optimization_recommendations'}
    assert list(result['detailed_results']) == [16, 32, 64]
    for length, row in result['detailed_results'].items():
        assert set(row) == {'sequence_length', 'time_ms', 'theoretical_flops', 'flops_per_second', 'query_memory_mb', 'attention_matrix_memory_mb', 'total_memory_mb', 'memory_bandwidth_mbs'}
        assert row['sequence_length'] == length and row['theoretical_flops'] == 4 * length * length * 64
        assert math.isclose(row['attention_matrix_memory_mb'], length * length * 4 / 1e6) and math.isclose(row['query_memory_mb'], length * 64 * 4 / 1e6)
        assert math.isclose(row['total_memory_mb'], (4 * length * 64 + length * length) * 4 / 1e6)
        assert math.isclose(row['flops_per_second'], row['theoretical_flops'] / row['time_ms'] * 1e3)
        assert math.isclose(row['memory_bandwidth_mbs'], row['total_memory_mb'] / row['time_ms'] * 1e3)
    analysis = result['scaling_analysis']
    assert set(analysis) == {'sequence_scaling', 'primary_bottleneck', 'bottleneck_reason', 'memory_breakdown', 'quadratic_factor'}
    scaling = analysis['sequence_scaling']
    assert set(scaling) == {'sequence_ratio', 'time_scaling_factor', 'memory_scaling_factor', 'attention_memory_scaling', 'theoretical_quadratic', 'time_vs_quadratic_ratio'}
    assert (scaling['sequence_ratio'], scaling['theoretical_quadratic']) == (4, 16) and math.isclose(scaling['attention_memory_scaling'], 16)
    assert math.isfinite(analysis['quadratic_factor'])
    assert all(isinstance(s, str) for s in result['optimization_recommendations']) and result['optimization_recommendations']
    assert profiler.profiling_data is result['detailed_results'] and profiler.scaling_analysis is analysis


@pytest.mark.parametrize('lengths', [(), (64,), (64, 64), (0, 64), (-1, 2)])
def test_lengths_that_cannot_be_compared(lengths):
    with pytest.raises(ValueError): AttentionEfficiencyProfiler().profile_attention_scaling(lengths)


def test_multi_head_efficiency():
    rows = AttentionEfficiencyProfiler().analyze_multi_head_efficiency((4, 1), 16, 32)
    assert [row['num_heads'] for row in rows] == [4, 1]
    for row in rows:
        heads = row['num_heads']
        assert set(row) == {'num_heads', 'head_dimension', 'total_parameters', 'attention_memory_mb', 'total_flops', 'parallelization_efficiency', 'effective_compute_time'}
        assert row['head_dimension'] == 32 // heads and row['total_parameters'] == 4 * 32 * 32 + 4 * 32
        assert math.isclose(row['attention_memory_mb'], heads * 16 * 16 * 4 / 1e6) and row['total_flops'] == 4 * 16 * 16 * 32
        assert row['effective_compute_time'] > 0 and row['parallelization_efficiency'] > 0
    for heads in 3, 0, -1:
        with pytest.raises(ValueError): AttentionEfficiencyProfiler().analyze_multi_head_efficiency((heads,), 16, 32)
    assert AttentionEfficiencyProfiler().analyze_multi_head_efficiency(()) == []
