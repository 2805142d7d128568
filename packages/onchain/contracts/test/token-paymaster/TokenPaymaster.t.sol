// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TokenPaymaster} from "../../TokenPaymaster.sol";
import {IPaymaster, PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {IRoles} from "../../interfaces/IRoles.sol";
import {Test} from "../Test.sol";
import {FalseToken, FeeToken, SilentToken} from "../smart-balance/Tokens.sol";

/// @dev Denies one account at a time, as USDC does.
contract DenyingToken is ERC20("", "") {
    error Denied(address account);

    address public denied;

    function deny(address account) external {
        denied = account;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (from == denied) revert Denied(from);
        super._update(from, to, value);
    }
}

contract Roles is IRoles {
    address public owner = address(0xAD);
    mapping(address => bool) public isOperator;

    function setOperator(address holder, bool allowed) external {
        isOperator[holder] = allowed;
    }
}

/// @dev Without EntryPoint, whose part is in the service's tests: this contract calls as EntryPoint does.
contract TokenPaymasterTest is Test {
    uint256 private constant KEY = 0xA11CE;
    uint128 private constant RATE = 2_500e6;
    uint128 private constant MAX_FEE = 2 gwei;
    uint128 private constant CALL_GAS = 100_000;
    uint128 private constant POST_OP_GAS = 60_000;
    uint256 private constant MAX_PRE_OP_GAS = 50_000 + 80_000 + 30_000;
    uint32 private constant EXTRA_GAS = 21_000;
    address private constant ACCOUNT = address(0xACC);

    Roles private roles = new Roles();
    TokenPaymaster private paymaster;
    DenyingToken private token = new DenyingToken();

    function setUp() public {
        paymaster = _paymaster(true);
        roles.setOperator(vm.addr(KEY), true);
        vm.store(address(token), keccak256(abi.encode(ACCOUNT, 0)), bytes32(uint256(1_000e6)));
        vm.prank(ACCOUNT);
        token.approve(address(paymaster), type(uint256).max);
    }

    function test_validate_default() public view {
        (, uint256 validationData) = _validate(_operation(address(token), KEY));
        assertEq(validationData, uint256(1_900_000_000) << 160, "validUntil, no failure");
    }

    function test_validate_wrongSignatureAfterAllOtherSteps() public view {
        (bytes memory context, uint256 validationData) = _validate(_operation(address(token), KEY + 1));
        assertEq(validationData & 1, 1, "SIG_VALIDATION_FAILED");
        assertTrue(context.length != 0, "the context of a valid one");
    }

    function test_validate_revokedOperator() public {
        roles.setOperator(vm.addr(KEY), false);
        (, uint256 validationData) = _validate(_operation(address(token), KEY));
        assertEq(validationData & 1, 1, "SIG_VALIDATION_FAILED");
    }

    /// @dev Each field of the operation and of the fee is signed.
    function test_validate_everyFieldIsSigned() public {
        PackedUserOperation memory op = _operation(address(token), KEY);
        op.nonce++;
        _expectRejected(op);
        op = _operation(address(token), KEY);
        op.initCode = hex"01";
        _expectRejected(op);
        op = _operation(address(token), KEY);
        op.callData = hex"01";
        _expectRejected(op);
        op = _operation(address(token), KEY);
        op.accountGasLimits = bytes32(uint256(op.accountGasLimits) + 1);
        _expectRejected(op);
        op = _operation(address(token), KEY);
        op.preVerificationGas++;
        _expectRejected(op);
        op = _operation(address(token), KEY);
        op.gasFees = bytes32(uint256(op.gasFees) + 1);
        _expectRejected(op);
        op = _operation(address(token), KEY);
        op.sender = address(0xBAD);
        _expectRejected(op);
        // Gas limits of the paymaster, token, rate, extraGas, validUntil: bytes 20 to 97.
        for (uint256 index = 20; index < 98; index++) {
            op = _operation(address(token), KEY);
            op.paymasterAndData[index] ^= 0x01;
            _expectRejected(op);
        }
        vm.chainId(block.chainid + 1);
        _expectRejected(_signedElsewhere());
    }

    function test_validate_error_malformed() public {
        PackedUserOperation memory op = _operation(address(token), KEY);
        op.paymasterAndData = bytes.concat(op.paymasterAndData, hex"00");
        vm.expectPartialRevert(TokenPaymaster.MalformedPaymasterData.selector);
        paymaster.validatePaymasterUserOp(op, 0, 0);
    }

    function test_error_notEntryPoint() public {
        PackedUserOperation memory op = _operation(address(token), KEY);
        bytes memory context = _charge(address(token));
        vm.startPrank(address(0xBAD));
        vm.expectPartialRevert(TokenPaymaster.NotEntryPoint.selector);
        paymaster.validatePaymasterUserOp(op, 0, 0);
        (bool success, bytes memory answer) = address(paymaster).call(
            abi.encodeCall(IPaymaster.postOp, (IPaymaster.PostOpMode.opSucceeded, context, 0, 0))
        );
        assertTrue(!success && bytes4(answer) == TokenPaymaster.NotEntryPoint.selector, "postOp");
    }

    /// @dev EntryPoint v0.7 charges a tenth of the unused call gas after postOp, v0.8 before it.
    function test_postOp_takesWhatTheGasCosts() public {
        uint256 gas = MAX_PRE_OP_GAS + 40_000;
        uint256 v08 = gas + POST_OP_GAS + EXTRA_GAS;
        assertEq(_paid(paymaster, gas, 1 gwei), _price(v08 + (CALL_GAS - 40_000) / 10, 1 gwei), "v0.7");
        TokenPaymaster other = _paymaster(false);
        vm.prank(ACCOUNT);
        token.approve(address(other), type(uint256).max);
        assertEq(_paid(other, gas, 1 gwei), _price(v08, 1 gwei), "v0.8");
    }

    /// @dev The relayer adds to the tip: the transaction's price counts, up to the cap that the account signed.
    function test_postOp_price(uint256 txPrice) public {
        txPrice = bound(txPrice, 0, 10 gwei);
        vm.txGasPrice(txPrice);
        uint256 expected = txPrice < 1 gwei ? 1 gwei : txPrice > MAX_FEE ? MAX_FEE : txPrice;
        uint256 gas = MAX_PRE_OP_GAS + CALL_GAS;
        assertEq(_paid(paymaster, gas, 1 gwei), _price(gas + POST_OP_GAS + EXTRA_GAS, expected), "paid");
    }

    /// @dev Never more than what the client computes: (all limits + extraGas) × maxFeePerGas × rate.
    function test_postOp_neverMoreThanTheApproval(uint256 gas, uint256 price, uint256 txPrice) public {
        gas = bound(gas, 0, 10_000_000);
        price = bound(price, 1, MAX_FEE);
        vm.txGasPrice(bound(txPrice, 0, 100 gwei));
        uint256 most = _price(MAX_PRE_OP_GAS + CALL_GAS + POST_OP_GAS + EXTRA_GAS, MAX_FEE);
        assertTrue(_paid(paymaster, gas, price) <= most, "at most the approval");
    }

    /// @dev In every mode: an approval that is left from earlier pays for calls that reverted.
    function test_postOp_afterFailedCalls() public {
        paymaster.postOp(
            IPaymaster.PostOpMode.opReverted, _charge(address(token)), 200_000 * 1 gwei, 1 gwei
        );
        assertTrue(token.balanceOf(address(paymaster)) > 0, "paid");
    }

    function test_postOp_error_withoutApproval() public {
        vm.prank(ACCOUNT);
        token.approve(address(paymaster), 0);
        _expectUnpaid(address(token));
    }

    function test_postOp_error_deniedByTheToken() public {
        token.deny(ACCOUNT);
        _expectUnpaid(address(token));
    }

    function test_postOp_error_tokenThatAnswersFalse() public {
        _expectUnpaid(address(new FalseToken()));
    }

    function test_postOp_error_noToken() public {
        _expectUnpaid(address(0xC0DE1E55));
    }

    /// @dev USDT's old code answers nothing.
    function test_postOp_tokenWithoutAnswers() public {
        SilentToken silent = new SilentToken();
        vm.store(address(silent), keccak256(abi.encode(ACCOUNT, 0)), bytes32(uint256(1_000e6)));
        paymaster.postOp(
            IPaymaster.PostOpMode.opSucceeded, _charge(address(silent)), 200_000 * 1 gwei, 1 gwei
        );
    }

    /// @dev The operator's loss is the token's part, not the whole gas: nothing reverts.
    function test_postOp_feeOnTransfer() public {
        FeeToken withFee = new FeeToken();
        vm.store(address(withFee), keccak256(abi.encode(ACCOUNT, 0)), bytes32(uint256(1_000e6)));
        vm.prank(ACCOUNT);
        withFee.approve(address(paymaster), type(uint256).max);
        paymaster.postOp(
            IPaymaster.PostOpMode.opSucceeded, _charge(address(withFee)), 200_000 * 1 gwei, 1 gwei
        );
        uint256 received = withFee.balanceOf(address(paymaster));
        uint256 taken = 1_000e6 - withFee.balanceOf(ACCOUNT);
        assertTrue(received > 0 && received < taken, "the token keeps a part");
    }

    function test_funds_onlyTheOwner() public {
        vm.store(address(token), keccak256(abi.encode(address(paymaster), 0)), bytes32(uint256(5)));
        vm.startPrank(address(0xBAD));
        vm.expectPartialRevert(TokenPaymaster.NotOwner.selector);
        paymaster.withdrawToken(IERC20(address(token)), address(0xBAD), 5);
        vm.expectPartialRevert(TokenPaymaster.NotOwner.selector);
        paymaster.withdrawGas(payable(address(0xBAD)), 1);
        vm.expectPartialRevert(TokenPaymaster.NotOwner.selector);
        paymaster.addStake(1);
        vm.expectPartialRevert(TokenPaymaster.NotOwner.selector);
        paymaster.unlockStake();
        vm.expectPartialRevert(TokenPaymaster.NotOwner.selector);
        paymaster.withdrawStake(payable(address(0xBAD)));
        vm.stopPrank();
        vm.prank(roles.owner());
        paymaster.withdrawToken(IERC20(address(token)), address(0x4EC), 5);
        assertEq(token.balanceOf(address(0x4EC)), 5, "received");
    }

    // ---------------------------------------------------------------------------------------------- helpers

    /// @dev This contract is EntryPoint.
    function _paymaster(bool penaltyFollows) private returns (TokenPaymaster) {
        return TokenPaymaster(
            _create(_creationCode("TokenPaymaster"), abi.encode(address(this), roles, penaltyFollows))
        );
    }

    function _operation(address token_, uint256 key) private view returns (PackedUserOperation memory op) {
        op.sender = ACCOUNT;
        op.nonce = 7;
        op.callData = hex"1234";
        op.accountGasLimits = bytes32(uint256(80_000) << 128 | CALL_GAS);
        op.preVerificationGas = 50_000;
        op.gasFees = bytes32(uint256(1 gwei) << 128 | MAX_FEE);
        bytes memory unsigned = abi.encodePacked(
            address(paymaster), uint128(30_000), POST_OP_GAS, token_, RATE, EXTRA_GAS, uint48(1_900_000_000)
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, _digest(op, token_));
        op.paymasterAndData = bytes.concat(unsigned, abi.encodePacked(r, s, v));
    }

    /// @dev The digest by the text of EIP-712, for this chain.
    function _digest(PackedUserOperation memory op, address token_) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("TokenPaymaster"),
                keccak256("1"),
                block.chainid,
                address(paymaster)
            )
        );
        bytes memory first = abi.encode(
            paymaster.FEE_TYPEHASH(),
            op.sender,
            op.nonce,
            keccak256(op.initCode),
            keccak256(op.callData),
            op.accountGasLimits,
            op.preVerificationGas,
            op.gasFees
        );
        bytes memory second = abi.encode(
            uint256(30_000) << 128 | POST_OP_GAS, token_, RATE, EXTRA_GAS, uint48(1_900_000_000)
        );
        return keccak256(abi.encodePacked(hex"1901", domain, keccak256(bytes.concat(first, second))));
    }

    function _signedElsewhere() private returns (PackedUserOperation memory op) {
        vm.chainId(block.chainid - 1);
        op = _operation(address(token), KEY);
        vm.chainId(block.chainid + 1);
    }

    function _validate(PackedUserOperation memory op) private view returns (bytes memory, uint256) {
        return paymaster.validatePaymasterUserOp(op, bytes32(uint256(1)), 0);
    }

    function _expectRejected(PackedUserOperation memory op) private view {
        (, uint256 validationData) = _validate(op);
        assertEq(validationData & 1, 1, "SIG_VALIDATION_FAILED");
    }

    function _charge(address token_) private view returns (bytes memory context) {
        (context,) = _validate(_operation(token_, KEY));
    }

    function _paid(TokenPaymaster to, uint256 gas, uint256 price) private returns (uint256) {
        bytes memory context = _charge(address(token));
        uint256 before = token.balanceOf(address(to));
        to.postOp(IPaymaster.PostOpMode.opSucceeded, context, gas * price, price);
        return token.balanceOf(address(to)) - before;
    }

    function _price(uint256 gas, uint256 price) private pure returns (uint256) {
        return (gas * price * RATE + 1e18 - 1) / 1e18;
    }

    function _expectUnpaid(address token_) private {
        bytes memory context = _charge(token_);
        (bool success,) = address(paymaster).call(
            abi.encodeCall(
                IPaymaster.postOp, (IPaymaster.PostOpMode.opSucceeded, context, 200_000 * 1 gwei, 1 gwei)
            )
        );
        assertTrue(!success, "EntryPoint undoes the calls");
    }
}
